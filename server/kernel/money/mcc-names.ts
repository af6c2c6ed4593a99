import { shopCategories } from "./category-names.ts";

/** Names of merchant categories 6010 to 9950 by code: services, professions and government (ISO 18245:2023). */
const serviceCategories = `
6010 Financial institutions: manual cash disbursements
6011 Financial institutions: automated cash disbursements
6012 Financial institutions: merchandise and services
6050 Quasi cash: customer financial institution
6051 Quasi cash: foreign currency, money orders and cryptocurrency
6211 Security brokers and dealers
6300 Insurance sales, underwriting and premiums
6381 Insurance premiums
6399 Insurance services
6513 Real estate agents and managers, rentals
6532 Payment transactions: customer financial institution
6533 Payment transactions: merchant
6536 Money transfers, domestic
6537 Money transfers, international
6538 Funding transactions
6540 Stored value cards: purchase and load
7011 Hotels, motels and resorts
7012 Timeshares
7032 Sporting and recreational camps
7033 Trailer parks and campgrounds
7210 Laundry, cleaning and garment services
7211 Laundry services, family and commercial
7216 Dry cleaners
7217 Carpet and upholstery cleaning
7221 Photographic studios
7230 Beauty and barber shops
7251 Shoe repair, shoe shine and hat cleaning shops
7261 Funeral services and crematories
7273 Dating and escort services
7276 Tax preparation services
7277 Counseling services: debt, marriage and personal
7278 Buying and shopping services and clubs
7280 Hospital patients: personal funds withdrawal
7296 Clothing rental: costumes, uniforms and formal wear
7297 Massage parlors
7298 Health and beauty spas
7299 Other personal services
7311 Advertising services
7321 Consumer credit reporting agencies
7322 Debt collection agencies
7332 Blueprinting and photocopying services
7333 Commercial photography, art and graphics
7338 Quick copy, reproduction and blueprinting services
7339 Stenographic and secretarial support services
7342 Exterminating and disinfecting services
7349 Cleaning, maintenance and janitorial services
7361 Employment agencies and temporary help services
7372 Computer programming, data processing and software development
7375 Information retrieval services
7379 Computer maintenance, repair and services
7392 Management, consulting and public relations services
7393 Detective, protective and security agencies
7394 Equipment, tool, furniture and appliance rental and leasing
7395 Photofinishing laboratories and photo developing
7399 Business services
7511 Truck stops
7512 Car rental agencies
7513 Truck and utility trailer rentals
7519 Motor home and recreational vehicle rentals
7523 Parking lots and garages
7524 Express payment service parking lots
7531 Automotive body repair shops
7534 Tire retreading and repair shops
7535 Automotive paint shops
7538 Automotive service shops
7542 Car washes
7549 Towing services
7622 Electronics repair shops
7623 Air conditioning and refrigeration repair shops
7629 Electrical and small appliance repair shops
7631 Watch, clock and jewelry repair
7641 Furniture reupholstery, repair and refinishing
7692 Welding services
7699 Miscellaneous repair shops and related services
7800 Government-owned lotteries
7801 Government-licensed online casinos
7802 Government-licensed horse and dog racing
7829 Motion picture and video tape production and distribution
7832 Motion picture theaters
7841 DVD and video tape rental stores
7911 Dance halls, studios and schools
7922 Ticket agencies and theatrical producers
7929 Bands, orchestras and entertainers
7932 Billiard and pool establishments
7933 Bowling alleys
7941 Commercial sports, professional sports clubs and promoters
7991 Tourist attractions and exhibits
7992 Public golf courses
7993 Video amusement game supplies
7994 Video game arcades
7995 Betting, including lottery tickets, casino chips and wagers
7996 Amusement parks, circuses and fortune tellers
7997 Membership clubs: sports, recreation, country clubs and golf
7998 Aquariums, seaquariums and dolphinariums
7999 Recreation services
8011 Doctors and physicians
8021 Dentists and orthodontists
8031 Osteopaths
8041 Chiropractors
8042 Optometrists and ophthalmologists
8043 Opticians, optical goods and eyeglasses
8044 Optical goods and eyeglasses
8049 Podiatrists and chiropodists
8050 Nursing and personal care facilities
8062 Hospitals
8071 Medical and dental laboratories
8099 Medical services and health practitioners
8111 Legal services and attorneys
8211 Elementary and secondary schools
8220 Colleges, universities and professional schools
8241 Correspondence schools
8244 Business and secretarial schools
8249 Vocational and trade schools
8299 Schools and educational services
8351 Child care services
8398 Charitable and social service organizations
8641 Civic, social and fraternal associations
8651 Political organizations
8661 Religious organizations
8675 Automobile associations
8699 Membership organizations
8734 Testing laboratories, nonmedical
8911 Architectural, engineering and surveying services
8931 Accounting, auditing and bookkeeping services
8999 Professional services
9211 Court costs, including alimony and child support
9222 Fines
9223 Bail and bond payments
9311 Tax payments
9399 Government services
9402 Postal services, government only
9405 Government purchases within the government
9406 Government-owned lotteries, outside the United States
9700 Automated referral services
9701 Visa credential servers
9702 Emergency services
9950 Purchases within a company
`;

const byCode: ReadonlyMap<string, string> = new Map(
  `${shopCategories}${serviceCategories}`
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => [line.slice(0, 4), line.slice(5)]),
);

/** Categories that a new merchant can choose, by code. */
export const merchantCategories: readonly (readonly [code: string, name: string])[] = [...byCode];

/** The codes 3000 to 3999 belong to single brands. */
const brandsOf = (code: number): string | null => {
  if (code >= 3000 && code <= 3350) return "Airlines and air carriers";
  if (code >= 3351 && code <= 3500) return "Car rental agencies";
  return code >= 3501 && code <= 3999 ? "Hotels, motels and resorts" : null;
};

/** `Grocery stores and supermarkets` for `5411`; null for a code that isn't in use. */
export const merchantCategoryName = (code: string): string | null => byCode.get(code) ?? brandsOf(Number(code));
