/** Names of merchant categories 0742 to 5999 by code: contractors, transport, utilities and shops (ISO 18245:2023). */
export const shopCategories = `
0742 Veterinary services
0763 Agricultural cooperatives
0780 Landscaping and horticultural services
1520 General contractors, residential and commercial
1711 Heating, plumbing and air conditioning contractors
1731 Electrical contractors
1740 Masonry, stonework, tile setting, plastering and insulation contractors
1750 Carpentry contractors
1761 Roofing, siding and sheet metal contractors
1771 Concrete work contractors
1799 Special trade contractors
2741 Publishing and printing
2791 Typesetting, plate making and related services
2842 Specialty cleaning, polishing and sanitation preparations
4011 Railroads, freight
4111 Local and suburban commuter transport, including ferries
4112 Passenger railways
4119 Ambulance services
4121 Taxis and limousines
4131 Bus lines
4214 Motor freight carriers, trucking, moving and storage
4215 Courier services, air and ground, and freight forwarders
4225 Public warehousing and storage
4411 Steamship and cruise lines
4457 Boat rentals and leases
4468 Marinas, marine service and supplies
4511 Airlines and air carriers
4582 Airports, flying fields and airport terminals
4722 Travel agencies and tour operators
4723 Package tour operators
4784 Tolls and bridge fees
4789 Transportation services
4812 Telecommunication equipment and telephone sales
4813 Key-entry telecom merchants
4814 Telecommunication services
4815 Monthly summary telephone charges
4816 Computer network and information services
4821 Telegraph services
4829 Money orders and wire transfers
4899 Cable, satellite and other pay television and radio services
4900 Utilities: electric, gas, water and sanitary
5013 Motor vehicle supplies and new parts, wholesale
5021 Office and commercial furniture, wholesale
5039 Construction materials, wholesale
5044 Photographic, photocopy and microfilm equipment, wholesale
5045 Computers, peripherals and software, wholesale
5046 Commercial equipment, wholesale
5047 Medical, dental, ophthalmic and hospital equipment, wholesale
5051 Metal service centers and offices, wholesale
5065 Electrical parts and equipment, wholesale
5072 Hardware, equipment and supplies, wholesale
5074 Plumbing and heating equipment and supplies, wholesale
5085 Industrial supplies, wholesale
5094 Precious stones, metals, watches and jewelry, wholesale
5099 Durable goods, wholesale
5111 Stationery, office supplies and printing paper, wholesale
5122 Drugs, proprietary medicines and druggist sundries, wholesale
5131 Piece goods, notions and other dry goods, wholesale
5137 Uniforms and commercial clothing, wholesale
5139 Commercial footwear, wholesale
5169 Chemicals and allied products, wholesale
5172 Petroleum and petroleum products, wholesale
5192 Books, periodicals and newspapers, wholesale
5193 Florist supplies, nursery stock and flowers, wholesale
5198 Paints, varnishes and supplies, wholesale
5199 Nondurable goods, wholesale
5200 Home supply warehouse stores
5211 Lumber and building materials stores
5231 Glass, paint and wallpaper stores
5251 Hardware stores
5261 Lawn and garden supply stores and nurseries
5262 Marketplaces
5271 Mobile home dealers
5300 Wholesale clubs
5309 Duty-free stores
5310 Discount stores
5311 Department stores
5331 Variety stores
5399 General merchandise
5411 Grocery stores and supermarkets
5422 Freezer and locker meat provisioners
5441 Candy, nut and confectionery stores
5451 Dairy product stores
5462 Bakeries
5499 Food stores, convenience stores and specialty markets
5511 Car and truck dealers, new and used
5521 Car and truck dealers, used only
5531 Auto and home supply stores
5532 Automotive tire stores
5533 Automotive parts and accessories stores
5541 Service stations
5542 Automated fuel dispensers
5551 Boat dealers
5552 Electric vehicle charging
5561 Camper, recreational and utility trailer dealers
5571 Motorcycle shops and dealers
5592 Motor home dealers
5598 Snowmobile dealers
5599 Automotive, aircraft and farm equipment dealers
5611 Men's and boys' clothing and accessories stores
5621 Women's ready-to-wear stores
5631 Women's accessory and specialty shops
5641 Children's and infants' wear stores
5651 Family clothing stores
5655 Sports and riding apparel stores
5661 Shoe stores
5681 Furriers and fur shops
5691 Men's and women's clothing stores
5697 Tailors, seamstresses, mending and alterations
5698 Wig and toupee stores
5699 Apparel and accessory shops
5712 Furniture and home furnishings stores
5713 Floor covering stores
5714 Drapery, window covering and upholstery stores
5715 Alcoholic beverage wholesalers
5718 Fireplaces, fireplace screens and accessories stores
5719 Home furnishing specialty stores
5722 Household appliance stores
5732 Electronics stores
5733 Music stores, instruments, pianos and sheet music
5734 Computer software stores
5735 Record stores
5811 Caterers
5812 Restaurants and eating places
5813 Bars, taverns, nightclubs and cocktail lounges
5814 Fast food restaurants
5815 Digital goods: books, movies and music
5816 Digital goods: games
5817 Digital goods: applications, excluding games
5818 Digital goods: large digital goods merchants
5832 Antique shops, sales
5912 Drug stores and pharmacies
5921 Beer, wine and liquor stores
5931 Used merchandise and secondhand stores
5932 Antique shops: sales, repairs and restoration
5933 Pawn shops
5935 Wrecking and salvage yards
5937 Antique reproductions
5940 Bicycle shops: sales and service
5941 Sporting goods stores
5942 Book stores
5943 Stationery, office and school supply stores
5944 Jewelry, watch, clock and silverware stores
5945 Hobby, toy and game shops
5946 Camera and photographic supply stores
5947 Gift, card, novelty and souvenir shops
5948 Luggage and leather goods stores
5949 Sewing, needlework, fabric and piece goods stores
5950 Glassware and crystal stores
5960 Direct marketing: insurance services
5961 Mail order houses, including catalog order stores
5962 Direct marketing: travel-related arrangement services
5963 Door-to-door sales
5964 Direct marketing: catalog merchants
5965 Direct marketing: combined catalog and retail merchants
5966 Direct marketing: outbound telemarketing merchants
5967 Direct marketing: inbound teleservices merchants
5968 Direct marketing: continuity and subscription merchants
5969 Direct marketing: other direct marketers
5970 Artist's supply and craft shops
5971 Art dealers and galleries
5972 Stamp and coin stores
5973 Religious goods stores
5975 Hearing aids: sales, service and supply
5976 Orthopedic goods and prosthetic devices
5977 Cosmetic stores
5978 Typewriter stores: sales, rentals and service
5983 Fuel dealers: fuel oil, wood, coal and liquefied petroleum
5992 Florists
5993 Cigar and tobacco stores
5994 News dealers and newsstands
5995 Pet shops, pet food and supplies
5996 Swimming pools: sales and service
5997 Electric razor stores: sales and service
5998 Tent and awning shops
5999 Miscellaneous and specialty retail shops
`;
